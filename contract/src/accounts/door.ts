import { z } from 'zod';

/** Who may open an account. */
export const signUpMode = z.enum(['open', 'invitation', 'domain', 'approval', 'closed']);

/** Why nobody, or not this person, may open an account: the code of the refusal, and its sentence. */
export const DOOR_REFUSALS = {
  SIGN_UP_CLOSED: 'New accounts can’t be created here at the moment.',
  INVITATION_NEEDED: 'You need an invitation to create an account here. Ask for a link.',
  WRONG_DOMAIN: 'Only email addresses of this organization can be used here. Use yours, or ask for an invitation.',
  EMAIL_UNVERIFIED:
    'Your account there has no confirmed email address. Sign up with your email and a password instead, or ask for an invitation.',
  INVITATION_UNKNOWN: 'This invitation doesn’t work. Please copy the whole link, or ask for another one.',
  INVITATION_ENDED: 'This invitation has ended. Please ask for another one.',
  INVITATION_USED_UP: 'This invitation is used up. Please ask for another one.',
} as const;
export type DoorRefusal = keyof typeof DOOR_REFUSALS;

/** What an account waits for before anybody can sign in to it. */
export const waitsFor = z.enum(['confirmation', 'approval']);
export type WaitsFor = z.infer<typeof waitsFor>;
export const WAITING: Record<WaitsFor, { code: string; sentence: string }> = {
  confirmation: {
    code: 'ACCOUNT_UNCONFIRMED',
    sentence:
      'Your account is ready once your email address is confirmed. Follow the link in the mail we sent you, or ask the operator.',
  },
  approval: {
    code: 'ACCOUNT_UNAPPROVED',
    sentence: 'Your account is waiting for the operator’s approval. You can log in as soon as they approve it.',
  },
};

export const invitationToken = z.string().max(200);

/** `POST /api/auth/door`: who may open an account, and what the invitation is worth that the person came with. */
export const doorBody = z.object({ invitation: invitationToken.optional() });
export const door = z.object({
  mode: signUpMode,
  /** Of which emails, in the mode `domain`. */
  domains: z.array(z.string()),
  /** Whether the invitation can be used; null without one. */
  invitation: z.enum(['open', 'INVITATION_UNKNOWN', 'INVITATION_ENDED', 'INVITATION_USED_UP']).nullable(),
});
export type Door = z.infer<typeof door>;
