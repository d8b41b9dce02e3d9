import { z } from 'zod';

/** Every error code and its HTTP status. */
export const ERROR_STATUS = {
  invalid_input: 400,
  signed_out: 401,
  limit_reached: 402,
  pro_required: 403,
  forbidden: 403,
  confirmation_needed: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  too_many_requests: 429,
  internal: 500,
  provider_failed: 502,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/**
 * Why something is off that is for the server's own machine alone: its settings don't allow it, a request came through a proxy that they
 * don't name, or this request came to or from another address.
 */
export const distrust = z.enum(['settings', 'proxy', 'address']);
export type Distrust = z.infer<typeof distrust>;

export const errorCode = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]);

/** The body of every error answer. `field` names the invalid input, if there is one. */
export const errorBody = z.object({
  error: z.object({ code: errorCode, message: z.string(), field: z.string().optional() }),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** The sentences for people. Those of the specification are quoted letter for letter. */
export const SENTENCES = {
  boundary: 'Something went wrong. Please refresh the page or try again later.',
  sessionLimit: 'Free tier users are limited to 3 sessions. Upgrade to Pro to create more.',
  messageLimit: 'Free tier users are limited to 10 messages. Upgrade to Pro to send more.',
  taskLimit: 'Free tier users are limited to 50 tasks. Upgrade to Pro to create more.',
  limitBanner: "You've hit the free tier limit (10 messages or 50 tasks)",
  noAgents: 'You must create at least one agent before starting a session.',
  noAgentSelected: 'You must select an agent to start a session.',
  sessionFailed: 'Failed to create session. Please try again.',
  runFailed: 'Failed to run agent task. See console for details.',
  runFailedPrefix: 'Failed to run agent task: ',
  passwordsOff: 'Nobody signs in with a password here. Use one of the other ways on the login page.',
  emailInUse: 'This email is already in use. Please log in or use a different email.',
  signupFailedPrefix: 'Signup failed: ',
  agentTaken: 'You already have an agent with this name. Choose another name.',
  agentCreated: 'Agent created!',
  agentUpdated: 'Agent updated!',
  agentSaved: 'Agent saved to your account!',
  agentSaveFailed: 'Could not save this agent to your library. Please try again.',
  favorited: 'Favorited!',
  favoriteFailed: 'Failed to favorite agent. Please try again.',
  noSession: 'Please select or create a session (agent) to start chatting.',
  noSessionHeader: 'No session selected',
  wordsOnly: 'Search by meaning isn’t answering right now, so this is by words only.',
  proFeature: 'Pro Feature: This section is only available to Pro users.',
  paymentSucceeded: 'Payment successful! You now have Pro access.',
  proGiven: 'You now have Pro access.',
  paymentNotWritten: 'Payment succeeded, but we couldn’t update your account. Please contact support.',
  paymentClosed: 'Transaction was not completed.',
  paymentFormFailed: 'Unable to load payment form. Please try again later.',
  paymentWallet: 'An error occurred while paying with Apple Pay. Please try again or use another payment method.',
  paymentConfirming:
    'Your payment is being confirmed. Your plan changes by itself, usually within a minute. You don’t need to pay again.',
  paymentPending: 'Your bank transfer is still being confirmed. Your plan changes by itself once it has arrived.',
  paymentDeclined: 'The payment was declined. Nothing was charged.',
  paymentProviderFailed:
    'The payment provider can’t be reached right now. Nothing was charged. Please try again later.',
  webhookRefused: 'The signature does not match.',
  paymentSignIn: 'You must be signed in to purchase.',
  paymentOff: 'Pro can’t be bought here yet: the operator has not connected a payment provider.',
  paymentProxied:
    'The test checkout is closed: a request came through a proxy that the server’s settings don’t name. The operator can set PUBLIC_URL and TRUSTED_PROXIES, choose how payments work there (Paystack keys, or PAYSTACK_SANDBOX=1), and restart.',
  paymentElsewhere:
    'The test checkout works only at the server’s own address, such as localhost. For this address the operator can set PUBLIC_URL, choose how payments work there (Paystack keys, or PAYSTACK_SANDBOX=1), and restart.',
  mailProxied:
    'This server sends no mail to people: a request came through a proxy that its settings don’t name. The operator can set PUBLIC_URL and TRUSTED_PROXIES, and restart.',
  mailElsewhere:
    'This server sends mail to people only from its own address, such as localhost. For this address the operator can set PUBLIC_URL, and restart.',
  alreadyPro: 'You are already Pro. There is nothing more to pay.',
  planRefreshFailed: 'Failed to refresh plan status. Please try again.',
  passwordCommon: 'This password is among the first that anybody would guess. Please choose another one.',
  signedOut: 'Please log in first.',
  confirmationNeeded: 'Please confirm first that it is you.',
  keyNeeded: 'A valid API key is needed: send it as “Authorization: Bearer …”. You can make one on the Account page.',
  accountDisabled: 'This account is disabled. Please contact support.',
  signInEnded: 'You were signed out. Please log in again.',
  contactSent: 'Message sent successfully!',
  contactFailed: 'Failed to send message. Please try again.',
  contactEmail: 'Please enter your email address so we can reply.',
  unavailable: 'The server can’t reach its data right now. Please try again in a moment.',
  diskFull: 'The server’s disk is full, so nothing can be saved right now. Please try again later.',
  timeout: 'The server did not answer within 30 seconds. Please try again.',
  offline: 'The server could not be reached. Check your connection and try again.',
  offlineNotice: 'You are offline. What you type stays here until you are back.',
  unreachableNotice: 'The server can’t be reached. What you type stays here until it answers.',
  unvisitedPage: 'This page can’t be opened without a connection. Try again once it is back.',
  /** Shown everywhere while no provider is configured, and the addition for the operator. */
  offlineModel: 'Answers come from the built-in offline model. It quotes what you told it and knows nothing else.',
  offlineModelAdvice:
    'To connect a real model, set OPENAI_API_KEY (and OPENAI_BASE_URL for another server) and restart.',
} as const;
