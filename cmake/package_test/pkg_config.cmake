# A compiler call with pkg-config's flags. The consumer's own warnings are errors here: our headers
# must survive them, since -I does not silence them as an imported target does.
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)
find_program(pkg_config NAMES pkg-config pkgconf)
if(NOT pkg_config)
  message("skipped: no pkg-config")
  return()
endif()
file(MAKE_DIRECTORY ${WORK}/pkg_config)
set(ENV{PKG_CONFIG_PATH} ${WORK}/moved/${LIBDIR}/pkgconfig)
execute_process(COMMAND ${pkg_config} --cflags plumbline
  OUTPUT_VARIABLE cflags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${pkg_config} --libs plumbline
  OUTPUT_VARIABLE libs OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
expect_flags("${cflags}")
separate_arguments(cflags UNIX_COMMAND "${cflags}")
separate_arguments(libs UNIX_COMMAND "${libs}")
execute_process(
  COMMAND ${CXX} -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror
    ${cflags} ${CONSUMER}/main.cpp ${libs} -o ${WORK}/pkg_config/consumer
  COMMAND_ERROR_IS_FATAL ANY)
expect_consumer(${WORK}/pkg_config/consumer)
