// The library brings no types; these are the parts that we use (2.25.0).
declare module '@paystack/inline-js' {
  export interface PaystackCallbacks {
    onLoad?: (loaded: { id: number | string; accessCode: string }) => void;
    onSuccess?: (paid: { reference?: string; status?: string }) => void;
    onCancel?: () => void;
    onError?: (error: { message?: string }) => void;
    onBankTransferConfirmationPending?: () => void;
  }
  export interface PaystackRequest extends PaystackCallbacks {
    accessCode: string;
  }
  export default class PaystackPop {
    checkoutIframe: HTMLIFrameElement;
    backgroundIframe: HTMLIFrameElement;
    newTransaction(request: PaystackRequest): unknown;
    cancelTransaction(id?: string): void;
    paymentRequest(
      request: PaystackRequest & {
        container: string;
        styles?: { theme?: 'dark' | 'light'; applePay?: Record<string, string> };
        onElementsMount: (elements: { applePay: boolean } | null) => void;
      },
    ): Promise<unknown>;
  }
}
