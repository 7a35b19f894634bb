import { hasOffset } from '../batches/cursor.ts';
import { type CompiledFormat, compileFormat } from './format.ts';

/** How written records are reported without a record format; `unacknowledged` is the text for `--acks 0`. */
export type ReportStyle = 'text' | 'unacknowledged' | 'json' | 'yaml';

/** A layout for records with an offset, and one for records whose offset the broker did not report. */
type Layouts = readonly [known: string, unknown: string];

const unacknowledged = 'Sent to partition %p with timestamp %d.\\n';
/** Topic names contain no characters that need an escape; the quotes keep names such as 123 or null as text in YAML. */
const json = (offset: string) => `{"topic":"%t","partition":%p,"offset":${offset},"timestamp":%d}\\n`;
const yaml = (offset: string) => `---\\ntopic: "%t"\\npartition: %p\\noffset: ${offset}\\ntimestamp: %d\\n`;

const layouts: Readonly<Record<ReportStyle, Layouts>> = {
  text: [
    'Produced to partition %p at offset %o with timestamp %d.\\n',
    'Produced to partition %p with timestamp %d; the broker did not report the offset.\\n',
  ],
  unacknowledged: [unacknowledged, unacknowledged],
  json: [json('%o'), json('null')],
  yaml: [yaml('%o'), yaml('null')],
};

/** Compiles the format of one of weir's own reports. */
export function compileReport(style: ReportStyle): CompiledFormat {
  const [known, unknown] = layouts[style].map((layout) => compileFormat(layout)) as [CompiledFormat, CompiledFormat];
  return (cursor, arena) => (hasOffset(cursor) ? known : unknown)(cursor, arena);
}
