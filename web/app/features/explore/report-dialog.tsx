import { type PublicAgent, REPORT_MAX, reportKind } from '@atelier/contract/explore';
import { useState } from 'react';
import { REPORT_LABELS } from '../../lib/agent-labels.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { SendForm } from '../../lib/send-form.tsx';
import { useSavedText } from '../../lib/typed/saved-form.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { SelectField } from '../../ui/select.tsx';
import { AreaField } from '../../ui/text-field.tsx';
import { useReportAgent } from './explore.api.ts';

interface ReportDialogProps {
  agent: PublicAgent;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const KINDS = [
  { value: '', label: 'Choose a reason' },
  ...reportKind.options.map((value) => ({ value, label: REPORT_LABELS[value] })),
];

/** Asks why a public agent is reported, and sends it to the operator. */
export default function ReportDialog({ agent, open, onOpenChange }: ReportDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={
        <>
          Report “<SeenName name={agent.name} />”
        </>
      }
    >
      <ReportForm agent={agent} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ReportForm({ agent, onDone }: { agent: PublicAgent; onDone: () => void }) {
  const report = useReportAgent(agent);
  const [kind, setKind] = useState('');
  const [words, setWords] = useSavedText(`report:${agent.creatorId}/${agent.id}`, '');
  const chosen = reportKind.safeParse(kind).data;
  useUnsavedArea(words !== '' && !report.isSuccess);
  const send = () => {
    if (chosen === undefined) return;
    report.mutate(
      { kind: chosen, words },
      {
        onSuccess: () => {
          toast.success('Your report was received. Thank you.');
          onDone();
        },
      },
    );
  };
  return (
    <SendForm label="Send report" isReady={chosen !== undefined} sending={report} onSend={send}>
      <p>The operator of this server reads it and decides. The author isn’t told who reported the agent.</p>
      <SelectField label="Reason" value={kind} options={KINDS} onChange={(event) => setKind(event.target.value)} />
      <AreaField
        label="What should the operator know? (optional)"
        rows={3}
        maxLength={REPORT_MAX}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    </SendForm>
  );
}
