/*
 * A stand-in for bcryptprimitives.dll, which Wine 8.0 does not have. Programs
 * that Go built cannot start without its ProcessPrng. Random bytes come from
 * where RtlGenRandom has them.
 */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
	const SIZE_T most = 1 << 20;

	while (length > 0) {
		ULONG part = (ULONG)(length < most ? length : most);
		if (!SystemFunction036(buffer, part))
			return FALSE;
		buffer += part;
		length -= part;
	}
	return TRUE;
}
