import { toast } from '../ui/overlay/toast.tsx';
import { errorText } from './http.ts';

/** Tells in a passing notice why something failed. */
export const toastError = (error: unknown) => toast.error(errorText(error));
