# Builds the reference with the s390x cross compiler and runs it on an emulated big-endian machine.
include(${CMAKE_CURRENT_LIST_DIR}/../emulated.cmake)
build_for_emulation(s390x)

execute_process(COMMAND ${emulator} -L /usr/s390x-linux-gnu ${BUILD}/portability_check
  OUTPUT_VARIABLE output RESULT_VARIABLE result)
message("${output}")
if(NOT result EQUAL 0 OR NOT output MATCHES "big-endian")
  message(FATAL_ERROR "portability_check on s390x: ${result}")
endif()
execute_process(COMMAND ${emulator} -L /usr/s390x-linux-gnu ${BUILD}/canary
  OUTPUT_VARIABLE output RESULT_VARIABLE result)
message("canary: ${output}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "canary on s390x: ${result}")
endif()
