// Reads the formulas of every lesson of a folder and writes FOLDER/FORMULA.svg for those that have no picture yet;
// pictures that no lesson asks for any more are removed. Called by scripts/formulas.
const fs = require("fs");
const path = require("path");
require("mathjax-full/js/input/tex/AllPackages.js");
const { mathjax } = require("mathjax-full/js/mathjax.js");
const { TeX } = require("mathjax-full/js/input/tex.js");
const { SVG } = require("mathjax-full/js/output/svg.js");
const { liteAdaptor } = require("mathjax-full/js/adaptors/liteAdaptor.js");
const { RegisterHTMLHandler } = require("mathjax-full/js/handlers/html.js");

const [lessons, out] = process.argv.slice(2);
const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const document = mathjax.document("", {
    InputJax: new TeX({
        packages: ["base", "ams", "color"],
        formatError: (_, error) => { throw error; },
    }),
    OutputJax: new SVG({ fontCache: "none" }),
});

/// As formulaName() in core/lessons/lesson_folder.cpp: FNV-1a over the bytes of "D" or "I" and the TeX.
function nameOf(tex, display) {
    let hash = 14695981039346656037n;
    for (const byte of Buffer.from((display ? "D" : "I") + tex, "utf8"))
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 1099511628211n);
    return hash.toString(16).padStart(16, "0");
}

/// As the parser: formulas on lines of their own between $$, and between single dollars; code blocks hold none but in
/// what they ask and say.
function formulasOf(text) {
    const found = [];
    const body = text.replace(/^---\n[\s\S]*?\n---\n/, "");
    const rest = body.replace(/^[ \t]*\$\$([\s\S]*?)\$\$/gm, (_, tex) => (found.push([tex.trim(), true]), ""));
    for (const match of rest.matchAll(/(?<!\\)\$([^$]+?)\$/g)) found.push([match[1], false]);
    return found;
}

const wanted = new Map();
for (const language of fs.readdirSync(lessons, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    for (const file of fs.readdirSync(path.join(lessons, language.name)).filter((name) => name.endsWith(".md")))
        for (const [tex, display] of formulasOf(fs.readFileSync(path.join(lessons, language.name, file), "utf8")))
            wanted.set(nameOf(tex, display), [tex, display, file]);

let made = 0;
for (const [name, [tex, display, file]] of wanted) {
    const target = path.join(out, name + ".svg");
    if (fs.existsSync(target)) continue;
    try {
        const svg = adaptor.innerHTML(document.convert(tex, { display }));
        fs.writeFileSync(target, svg.replace("<g ", `<title>${tex.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)}</title><g `) + "\n");
        ++made;
    } catch (error) {
        console.error(`${file}: $${tex}$: ${error.message}`);
        process.exitCode = 1;
    }
}
let removed = 0;
for (const file of fs.readdirSync(out))
    if (file.endsWith(".svg") && !wanted.has(file.slice(0, -4))) {
        fs.unlinkSync(path.join(out, file));
        ++removed;
    }
console.log(`${wanted.size} formulas, ${made} drawn, ${removed} no longer asked for`);
