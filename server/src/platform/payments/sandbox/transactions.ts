import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

// The sandbox plays somebody else's server: it shares nothing with our client of Paystack, not even a shape.

const record = z.object({
  id: z.number().int(),
  reference: z.string(),
  accessCode: z.string(),
  amount: z.number().int(),
  currency: z.string(),
  status: z.enum(['abandoned', 'failed', 'pending', 'success']),
  paidAt: z.string().nullable(),
  /** When a pending bank transfer arrives, in milliseconds since 1970. */
  arrivesAt: z.number().nullable().default(null),
});
export type SandboxTransaction = z.infer<typeof record>;
export type SandboxStatus = SandboxTransaction['status'];

/** The sandbox's own memory. It survives a restart; no email or name is in it. */
export function createSandboxTransactions(file: string) {
  const transactions: SandboxTransaction[] = existsSync(file)
    ? z.array(record).parse(JSON.parse(readFileSync(file, 'utf8')))
    : [];

  function save() {
    writeFileSync(`${file}.new`, JSON.stringify(transactions), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  function become(transaction: SandboxTransaction, status: SandboxStatus, arrivesAt: number | null = null): void {
    if (transaction.status === 'success') return;
    const before = { ...transaction };
    const paidAt = status === 'success' ? new Date().toISOString() : transaction.paidAt;
    Object.assign(transaction, { status, arrivesAt, paidAt });
    try {
      save();
    } catch (error) {
      Object.assign(transaction, before);
      throw error;
    }
  }

  return {
    byReference: (reference: string) => transactions.find((t) => t.reference === reference),
    byAccessCode: (accessCode: string) => transactions.find((t) => t.accessCode === accessCode),
    add(input: Pick<SandboxTransaction, 'reference' | 'amount' | 'currency'>): SandboxTransaction {
      const accessCode = `sandbox${randomBytes(9).toString('hex')}`;
      const added: SandboxTransaction = {
        ...input,
        id: transactions.length + 1,
        accessCode,
        status: 'abandoned',
        paidAt: null,
        arrivesAt: null,
      };
      transactions.push(added);
      save();
      return added;
    },
    /** Moves a transaction on; what is paid stays paid. A pending transfer arrives at `arrivesAt`, in milliseconds since 1970. */
    become,
    /** Lets a bank transfer arrive whose time has come, also after a restart; says whether it just did. */
    receive(transaction: SandboxTransaction): boolean {
      const { status, arrivesAt } = transaction;
      if (status !== 'pending' || arrivesAt === null || arrivesAt > Date.now()) return false;
      become(transaction, 'success');
      return true;
    },
  };
}
