# Builds the reference with the s390x cross compiler and runs it on an emulated big-endian machine.
find_program(compiler s390x-linux-gnu-g++)
find_program(emulator qemu-s390x)
if(NOT compiler)
  message("skipped: no s390x-linux-gnu-g++")
  return()
endif()
if(NOT emulator)
  message("skipped: no qemu-s390x")
  return()
endif()
set(launcher)
if(LAUNCHER)
  set(launcher -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G Ninja ${launcher}
  -DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN} -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --parallel 2 COMMAND_ERROR_IS_FATAL ANY)

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
