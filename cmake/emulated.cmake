# Builds the project SOURCE in BUILD, with these further arguments for CMake.
function(build_apart)
  set(launcher)
  if(LAUNCHER)
    set(launcher -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G Ninja ${launcher}
    -DCMAKE_BUILD_TYPE=Release ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --parallel 2 COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The same with a cross compiler; leaves `emulator`, which runs its programs.
# Where one of the two is missing the calling script ends, and says so.
macro(build_for_emulation machine)
  find_program(compiler ${machine}-linux-gnu-g++)
  find_program(emulator qemu-${machine})
  if(NOT compiler)
    message("skipped: no ${machine}-linux-gnu-g++")
    return()
  endif()
  if(NOT emulator)
    message("skipped: no qemu-${machine}")
    return()
  endif()
  build_apart(-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN} ${ARGN} "-DCMAKE_CXX_FLAGS_RELEASE=-O1")
endmacro()
