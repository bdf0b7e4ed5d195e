# SPDX-License-Identifier: GPL-3.0-or-later
"""Chromium without a window, told over a pipe what to do (the DevTools protocol), by the standard library alone."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """One page. `requests` lists every address that it asked for, `mistakes` what its script complained of."""

    def __init__(self, program, seconds=600):
        self.folder = tempfile.mkdtemp()
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()

        def places():
            os.dup2(read_there, 3)
            os.dup2(write_there, 4)

        # Its pipe is 3 and 4; what these were before is moved out of the way first.
        read_there, write_there = (self._above(each) for each in (read_there, write_there))
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "about:blank"],
            preexec_fn=places, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self.input, self.output = write_here, read_here
        self.buffer, self.number, self.seconds = b"", 0, seconds
        self.requests, self.mistakes, self.loaded = [], [], False
        target = next(each for each in self.send("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self.session = None
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(domain + ".enable")

    @staticmethod
    def _above(descriptor):
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10)
        os.close(descriptor)
        return moved

    def _receive(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.output], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.output, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _hear(self, message):
        what, about = message.get("method"), message.get("params", {})
        if what == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif what == "Page.loadEventFired":
            self.loaded = True
        elif what == "Runtime.exceptionThrown":
            self.mistakes.append(about["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        elif what == "Log.entryAdded" and about["entry"]["level"] == "error":
            self.mistakes.append(about["entry"]["text"])

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.input, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.seconds
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._hear(answer)

    def open(self, path, width=1280, height=800, dark=False, phone=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.loaded = False
        self.send("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.monotonic() + self.seconds
        while not self.loaded:
            self._hear(self._receive(deadline))
        self.settle()

    def run(self, script):
        """The value of an expression in the page."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"] + "\n" + script)
        return result["result"].get("value")

    def settle(self):
        """Two frames: what was observed is drawn. A browser that has nothing to draw may make none."""
        self.run("new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 1000); })")

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.innerText)")

    def box(self, selector):
        return self.run(f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                        " return [box.left, box.top, box.width, box.height]; })()")

    def mouse(self, kind, x, y, buttons=0):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if buttons or kind == "mouseReleased" else "none",
                  buttons=buttons, clickCount=1)

    def point(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.settle()

    def click(self, x, y):
        self.point(x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)
        self.settle()

    def press_on(self, selector):
        """A click in the middle of an element."""
        self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        left, top, width, height = self.box(selector)
        self.click(left + width / 2, top + height / 2)

    def key(self, key, code=None, modifiers=0, text=None):
        code = code or key
        numbers = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, " ": 32, "End": 35, "Home": 36}
        more = {"text": text} if text else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, modifiers=modifiers,
                  windowsVirtualKeyCode=numbers.get(key, 0), **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, modifiers=modifiers,
                  windowsVirtualKeyCode=numbers.get(key, 0))
        self.settle()

    def write(self, text):
        self.send("Input.insertText", text=text)
        self.settle()

    def picture(self, path, whole=False):
        options = {"captureBeyondViewport": True} if whole else {}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.captureScreenshot", format="png", **options)["data"]))

    def close(self):
        self.session, self.seconds = None, 60
        try:
            self.send("Browser.close")
            self.process.wait(60)
        except (RuntimeError, BrokenPipeError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()  # it hangs, or has gone already
            self.process.wait()
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.folder, ignore_errors=True)  # its last processes may still write there

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
