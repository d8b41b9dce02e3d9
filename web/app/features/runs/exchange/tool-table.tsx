const ROWS_MAX = 200;
const COLUMNS_MAX = 20;

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.length > 0 && value.every(isRow);

/** Data as tables: a list of objects has a column for each of their fields, any other object a row for each of its own. */
export function ToolTable({ value }: { value: Row }) {
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
