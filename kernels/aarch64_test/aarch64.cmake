# Builds the kernels with the AArch64 cross compiler and runs their tests on an emulated machine.
find_program(compiler aarch64-linux-gnu-g++)
find_program(emulator qemu-aarch64)
if(NOT compiler)
  message("skipped: no aarch64-linux-gnu-g++")
  return()
endif()
if(NOT emulator)
  message("skipped: no qemu-aarch64")
  return()
endif()
set(launcher)
if(LAUNCHER)
  set(launcher -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G Ninja ${launcher}
  -DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN} -DHOST_INCLUDE=${HOST_INCLUDE}
  -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --parallel 2 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${emulator} ${BUILD}/kernels_check
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
message("${output}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the kernels on AArch64: ${result}")
endif()
