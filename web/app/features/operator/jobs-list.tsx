import { type BackgroundJob, jobsState } from '@atelier/contract/operator/jobs';
import { formatNumber, minuteOf } from '../../ui/formats.ts';
import { ChoiceField } from '../../ui/list/filters.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { ActDialog } from './act-dialog.tsx';
import { type JobsView, useActOnJob, useJobs } from './admin.api.ts';
import { Entry, EntryActs, EntryList } from './admin-list.tsx';
import { countText } from './figures.tsx';

const STATES = [
  { id: 'failed', name: 'Failed' },
  { id: 'waiting', name: 'Waiting' },
];

const EMPTY = { failed: 'No job has failed.', waiting: 'No job waits.' };

/** Work in the background that failed or waits. */
export function JobsList() {
  const { filters, change } = useFilters(['state', 'kind']);
  const state = jobsState.catch('failed').parse(filters.state);
  const view: JobsView = filters.kind === '' ? { state } : { state, kind: filters.kind };
  const jobs = useJobs(view);
  const counted = (jobs.data?.pages[0]?.kinds ?? []).map((one) => ({ kind: one.kind, count: one[state] }));
  const kinds = counted.filter(({ kind, count }) => count > 0 || kind === filters.kind);
  return (
    <>
      <p className="text-muted">
        Failed jobs are shown for a day. One that you delete is never done: what it was for stays as it is.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          label="Show"
          chosen={state}
          choices={STATES}
          onChange={(chosen) => change({ state: chosen, kind: '' })}
        />
        <ChoiceField
          label="Kind"
          all="All kinds"
          choices={kinds.map(({ kind, count }) => ({ id: kind, name: `${kind} (${countText(count)})` }))}
          chosen={filters.kind}
          onChange={(kind) => change({ kind })}
        />
      </div>
      <EntryList list={jobs} rowsOf={(page) => page.jobs} loading="Loading the jobs" empty={EMPTY[state]} label="Jobs">
        {(job) => <Job key={job.id} job={job} />}
      </EntryList>
    </>
  );
}

function timesOf({ at, dueAt, retries }: BackgroundJob): string {
  const tries =
    retries === 0 ? [] : [retries === 1 ? 'tried again once' : `tried again ${formatNumber(retries)} times`];
  const times = dueAt === null ? [`Failed ${minuteOf(at)}`] : [`Sent ${minuteOf(at)}`, `due ${minuteOf(dueAt)}`];
  return [...times, ...tries].join(', ');
}

function Job({ job }: { job: BackgroundJob }) {
  const isFailed = job.dueAt === null;
  const params = { kind: job.kind, jobId: job.id };
  const retry = useActOnJob('retry', params);
  const remove = useActOnJob('delete', params);
  return (
    <Entry>
      <p className="font-mono">{job.kind}</p>
      {job.error !== null && <p className="font-mono text-danger text-sm">{job.error}</p>}
      <p className="text-muted text-sm">{timesOf(job)}</p>
      <EntryActs>
        <ActDialog
          label={isFailed ? 'Retry' : 'Run now'}
          title={isFailed ? 'Try this job again?' : 'Run this job now?'}
          needsReason={false}
          act={retry.mutateAsync}
          done="The job is on its way."
        >
          <p>It begins as soon as there is room. If it fails again, it is shown here again.</p>
        </ActDialog>
        <ActDialog
          label="Delete"
          title="Delete this job?"
          isDanger
          needsReason={false}
          act={remove.mutateAsync}
          done="The job is deleted."
        >
          <p>It is never done, and this can’t be undone.</p>
        </ActDialog>
      </EntryActs>
    </Entry>
  );
}
