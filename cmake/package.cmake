# SPDX-License-Identifier: GPL-3.0-or-later
# A package for Debian: scripts/package, or cpack -G DEB in the build folder.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME headlight)
set(CPACK_PACKAGE_CONTACT "Headlight maintainers <maintainers@users.noreply.headlight.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows what every attention head is looking at, and why")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Headlight shows how a neural sequence model thinks. A small Transformer
translates English to French as you type; every head's attention is on the
screen, every number is the engine's own, and time can be stopped and stepped
through, operation by operation. One click trains a fresh model, and its heads
take shape while you watch.
.
Lessons lead from sequence to sequence to the Transformer and beyond. The
command line, headlight-cli, trains, translates and takes models apart.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What no library names: pictures of the window without a display, and figures as SVG, are plugins of Qt's.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "qt6-qpa-plugins, libqt6svg6")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, fonts-jetbrains-mono")
set(CPACK_STRIP_FILES ON)
# As Debian wants them, whoever made the folders.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_times.cmake)

install(FILES resources/package/copyright DESTINATION share/doc/headlight)
set(changelog ${PROJECT_BINARY_DIR}/changelog.gz)
execute_process(COMMAND ${HEADLIGHT_GZIP} -9nc ${PROJECT_SOURCE_DIR}/resources/package/changelog
                OUTPUT_FILE ${changelog} COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${changelog} DESTINATION share/doc/headlight)
include(CPack)
