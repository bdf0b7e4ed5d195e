# SPDX-License-Identifier: GPL-3.0-or-later
# Everything in the package has the time of SOURCE_DATE_EPOCH, so that two packages of one commit are the same bytes.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    execute_process(COMMAND find ${CPACK_TEMPORARY_INSTALL_DIRECTORY} -exec touch -h -d @$ENV{SOURCE_DATE_EPOCH} {} +
                    COMMAND_ERROR_IS_FATAL ANY)
endif()
