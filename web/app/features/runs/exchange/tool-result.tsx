import type { Task } from '@atelier/contract/runs';
import type { ToolCall, ToolMedia } from '@atelier/contract/tools';
import { useState } from 'react';
import { AnswerLink } from '../answer/answer-link.tsx';
import { Enlarge } from '../attachments/enlarge.tsx';
import { mediaAddress } from '../runs.api.ts';
import { ToolTable } from './tool-table.tsx';

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

interface MediaProps {
  media: ToolMedia;
  number: number;
  address: string;
}

function Media({ media, number, address }: MediaProps) {
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
