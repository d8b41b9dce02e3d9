import type { Database } from '../../server/src/platform/database/database.ts';

/** One payment in each state that a person can see. */
export async function addPayments(db: Database, uid: string): Promise<void> {
  const states = ['paid', 'refund_due', 'pending', 'failed', 'abandoned', 'refunded'];
  await db.executeSql(
    `with p as (
       insert into payments (reference, user_id, provider, mode, state, amount, currency, attention, created_at, paid_at)
       select 'atl_' || repeat(n::text, 24), $1, 'sandbox', 'sandbox', state, 27500, 'ZAR', state like 'refund%', now() - make_interval(days => n::int),
              case when state in ('paid', 'refund_due', 'refunded') then now() - make_interval(days => n::int) end
       from unnest($2::text[]) with ordinality as s(state, n) returning user_id, reference, state, created_at
     )
     insert into payment_events (user_id, id, reference, entry, source, created_at)
     select user_id, gen_random_uuid(), reference, 'issued', 'checkout', created_at from p
     union all select user_id, gen_random_uuid(), reference, state, 'webhook', created_at + interval '1 minute' from p`,
    [uid, states],
  );
}

/** What an operator looks after: messages, jobs and changed tools. */
export async function addWork(db: Database, uid: string): Promise<void> {
  await db.executeSql(
    `insert into contact_messages (id, user_id, email, message, fingerprint, state, created_at, answered_at, answer)
     select gen_random_uuid(), case when n % 2 = 0 then $1 end, 'person-' || n || '@example.com', repeat($2, n), n::text, 'sent',
            now() - make_interval(hours => n), case when n > 4 then now() end, case when n > 4 then $2 end
     from generate_series(1, 6) n`,
    [uid, 'How do I move my agents to another server?\n\nI have forty of them. '],
  );
  await db.executeSql(
    `insert into pgboss.job_common (name, state, retry_count, completed_on, output)
     select (array['accounts.mail', 'contact.deliver', 'billing.reconcile'])[1 + n % 3], 'failed', 12, now() - make_interval(mins => n), $1
     from generate_series(1, 8) n`,
    [JSON.stringify({ message: 'Error (ECONNREFUSED) < AggregateError' })],
  );
}
