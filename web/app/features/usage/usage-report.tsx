import type { UsageReport as Report } from '@atelier/contract/usage';
import type { ReactNode } from 'react';
import { formatDay, formatNumber } from '../../ui/formats.ts';
import { FigureTable, figureClass } from '../../ui/list/figure-table.tsx';
import { type AgentUsage, sumByAgent, sumByDay, sumByPurpose, sumUsage, type UsageSum } from './sum-usage.ts';
import { UsageChart } from './usage-chart.tsx';
import { formatCost, modelName, PURPOSES } from './usage-words.ts';

/** What a period took: its sums, the days as bars, and the agents with their models. */
export function UsageReport({ report }: { report: Report }) {
  const { rows, currency, from, to } = report;
  const days = sumByDay(rows, from, to);
  const agents = sumByAgent(rows);
  const total = sumUsage(rows);
  return (
    <>
      <Totals total={total} currency={currency} />
      <UsageChart days={days} />
      <section aria-labelledby="usage-agents" className="flex flex-col gap-3">
        <h2 id="usage-agents" className="font-semibold text-xl">
          By agent
        </h2>
        <UsageTable
          caption="Usage by agent and model"
          head="Agent"
          currency={currency}
          rows={agents.map((agent) => ({ key: agent.key, name: <AgentName agent={agent} />, sum: agent.sum }))}
        />
      </section>
      <details>
        <summary className="font-semibold touch:py-2.5">By purpose</summary>
        <div className="mt-3">
          <UsageTable
            caption="Usage by purpose"
            head="Purpose"
            currency={currency}
            rows={sumByPurpose(rows).map(({ purpose, sum }) => ({ key: purpose, name: PURPOSES[purpose], sum }))}
          />
        </div>
      </details>
      <details>
        <summary className="font-semibold touch:py-2.5">By day</summary>
        <div className="mt-3">
          <UsageTable
            caption="Usage by day"
            head="Day"
            currency={currency}
            rows={days
              .filter(({ sum }) => sum.answers + sum.inputTokens + sum.outputTokens > 0)
              .toReversed()
              .map(({ day, sum }) => ({ key: day, name: <time dateTime={day}>{formatDay(day)}</time>, sum }))}
          />
        </div>
      </details>
      <Notes total={total} agents={agents} />
    </>
  );
}

function AgentName({ agent: { agentName, agentDeleted, model } }: { agent: AgentUsage }) {
  return (
    <>
      <span className="font-semibold [overflow-wrap:anywhere]">{agentName || 'All agents'}</span>
      {agentDeleted && <span className="text-muted"> (deleted)</span>}
      <span className="block font-mono text-muted text-xs [overflow-wrap:anywhere]">{modelName(model)}</span>
    </>
  );
}

function Totals({ total, currency }: { total: UsageSum; currency: string }) {
  const figures = [
    ['Answers', formatNumber(total.answers)],
    ['Tokens read', formatNumber(total.inputTokens)],
    ['Tokens written', formatNumber(total.outputTokens)],
    ['Cost', `${total.isPartial ? 'over ' : ''}${formatCost(total.cost, currency)}`],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(([name, figure]) => (
        <div key={name} className="rounded-lg border bg-raised px-4 py-3">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="font-semibold text-xl tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the figures are, and what they leave out. */
function Notes({ total, agents }: { total: UsageSum; agents: readonly AgentUsage[] }) {
  const unpriced = [...new Set(agents.filter(({ sum }) => sum.cost === null).map(({ model }) => modelName(model)))];
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-muted text-sm">
      {total.estimated > 0 && (
        <li>
          The tokens of {total.estimated === total.answers ? 'all' : formatNumber(total.estimated)} answers are
          estimated, because the provider did not count them.
        </li>
      )}
      {unpriced.length > 0 && (
        <li>No price is known for {unpriced.join(', ')}. The operator of this installation can set prices.</li>
      )}
      {total.cost !== null && total.cost > 0 && (
        <li>Costs are at the prices of then, or today’s where those are not known; this is not an invoice.</li>
      )}
      <li>
        Titles, summaries, facts and search by meaning, which models do in the background, are counted too. So is what
        you have deleted since; no word of it is kept for that.
      </li>
    </ul>
  );
}

interface UsageTableProps {
  caption: string;
  /** What the first column names. */
  head: string;
  rows: readonly { key: string; name: ReactNode; sum: UsageSum }[];
  currency: string;
}

function UsageTable({ caption, head, rows, currency }: UsageTableProps) {
  return (
    <FigureTable caption={caption} words={[head]} figures={['Answers', 'Tokens read', 'Tokens written', 'Cost']}>
      {rows.map(({ key, name, sum }) => (
        <tr key={key}>
          <th scope="row" className="min-w-36 px-3 py-2 text-start font-normal">
            {name}
          </th>
          <td className={figureClass}>{formatNumber(sum.answers)}</td>
          <td className={figureClass}>{formatNumber(sum.inputTokens)}</td>
          <td className={figureClass}>{formatNumber(sum.outputTokens)}</td>
          <td className={figureClass}>
            {sum.isPartial && 'over '}
            {formatCost(sum.cost, currency)}
          </td>
        </tr>
      ))}
    </FigureTable>
  );
}
