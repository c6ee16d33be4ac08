/* A stand-in for bcryptprimitives.dll, which wine 8 lacks: the one function that Rust's library asks for.
   For trying a build under wine only; it is never handed out. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    return SystemFunction036(buffer, (ULONG)length);
}
