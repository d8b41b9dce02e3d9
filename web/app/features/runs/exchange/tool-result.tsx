import type { Task } from '@atelier/contract/runs';
import type { ToolCall, ToolMedia } from '@atelier/contract/tools';
import { useState } from 'react';
import { AnswerLink } from '../answer/answer-link.tsx';
import { Enlarge } from '../attachments/enlarge.tsx';
import { mediaAddress } from '../runs.api.ts';

/** What a tool answered beside text: pictures, sounds, files, links and tables. */
export function ToolResult({ task, call }: { task: Task; call: ToolCall }) {
  const { media = [], links = [], structured } = call;
  if (media.length === 0 && links.length === 0 && structured === undefined) return null;
  return (
    <div className="flex flex-col gap-2 pt-2 pl-2">
      {media.map((one, index) => (
        <Media key={one.id} media={one} number={index + 1} address={mediaAddress(task, one.id)} />
      ))}
      {links.length > 0 && <Links links={links} />}
      {structured !== undefined && <ToolTable value={structured} />}
    </div>
  );
}

function Media({ media, number, address }: { media: ToolMedia; number: number; address: string }) {
  const [broken, setBroken] = useState(false);
  const [kind] = media.type.split('/');
  if (kind === 'image' && !broken) {
    return (
      <Enlarge
        picture={{ url: address, name: media.name ?? `Picture ${number}` }}
        className="w-fit max-w-full rounded border bg-raised p-1 hover:border-ink"
      >
        <img
          src={address}
          alt={`What the tool answered, number ${number}`}
          className="max-h-96 max-w-full rounded object-contain"
          onError={() => setBroken(true)}
        />
      </Enlarge>
    );
  }
  if (kind === 'audio' && !broken) {
    return (
      <audio controls src={address} aria-label={`Sound ${number}`} onError={() => setBroken(true)}>
        <track kind="captions" />
      </audio>
    );
  }
  return (
    <a href={address} download className="w-fit text-sm underline underline-offset-2 [overflow-wrap:anywhere]">
      Download {media.name ?? `file ${number}`} ({media.type})
    </a>
  );
}

function Links({ links }: { links: NonNullable<ToolCall['links']> }) {
  return (
    <ul aria-label="Links that the tool answered" className="flex flex-col gap-1 text-sm">
      {links.map(({ uri, name, description }) => (
        <li key={uri} className="[overflow-wrap:anywhere]">
          <span className="font-semibold [&_[role=link]]:cursor-pointer [&_[role=link]]:underline">
            <AnswerLink href={uri}>{name}</AnswerLink>
          </span>{' '}
          <span className="font-mono text-muted text-xs">{uri}</span>
          {description !== undefined && <span className="block text-muted">{description}</span>}
        </li>
      ))}
    </ul>
  );
}

const ROWS_MAX = 200;
const COLUMNS_MAX = 20;

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.length > 0 && value.every(isRow);

/** Data as tables: a list of objects has a column for each of their fields, any other object a row for each of its own. */
function ToolTable({ value }: { value: Row }) {
  const entries = Object.entries(value);
  const lists = entries.filter((entry): entry is [string, Row[]] => isRows(entry[1]));
  const plain = entries.filter(([, inner]) => !isRows(inner));
  return (
    <>
      {plain.length > 0 && (
        <Table label="What the tool answered">
          <tbody>
            {plain.map(([name, inner]) => (
              <tr key={name} className="border-t first:border-t-0">
                <th scope="row" className="px-2 py-1 text-left align-top font-semibold">
                  {name}
                </th>
                <Cell value={inner} />
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {lists.map(([name, rows]) => (
        <RowsTable key={name} name={name} rows={rows} />
      ))}
    </>
  );
}

function RowsTable({ name, rows }: { name: string; rows: Row[] }) {
  const columns = [...new Set(rows.slice(0, ROWS_MAX).flatMap((row) => Object.keys(row)))].slice(0, COLUMNS_MAX);
  return (
    <Table label={name}>
      <caption className="px-2 py-1 text-left text-muted">
        {name}
        {rows.length > ROWS_MAX && `, the first ${ROWS_MAX} of ${rows.length}`}
      </caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="px-2 py-1 text-left font-semibold">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, ROWS_MAX).map((row, index) => (
          <tr key={index} className="border-t">
            {columns.map((column) => (
              <Cell key={column} value={Object.hasOwn(row, column) ? row[column] : undefined} />
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const Table = ({ label, children }: { label: string; children: React.ReactNode }) => (
  // A scrolling area must be reachable by keyboard.
  <section aria-label={label} tabIndex={0} className="max-h-96 w-fit max-w-full overflow-auto rounded border text-sm">
    <table className="border-collapse">{children}</table>
  </section>
);

const Cell = ({ value }: { value: unknown }) => (
  <td className="max-w-80 px-2 py-1 align-top [overflow-wrap:anywhere]">{textOf(value)}</td>
);

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
