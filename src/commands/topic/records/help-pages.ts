import { blocks, prose, titled } from '../../../cli/help/help.ts';
import { timeForms } from '../../../format/time.ts';
import { formatReference } from '../../../kafka/records/language/reference.ts';
import { offsetForms } from '../../../kafka/streams/consume/offset-words.ts';

/** `weir help formats`. */
export function formatsHelp(columns?: number): string {
  return blocks([
    prose(
      'A record format is text with percent verbs, passed with -f. No newline is added: end the format with \\n. ' +
        'The word json means one JSON object per record, the word csv a line of CSV, after one that names the columns.',
      columns,
    ),
    ...formatReference().map(({ title, rows }) => titled(title, rows, columns)),
    'Examples:\n' +
      "  weir topic consume orders -f '%p:%o %k %v\\n'\n" +
      "  weir topic consume orders -f '%d{strftime[%F %T]} %v{base64}\\n'\n" +
      "  weir topic produce orders -f '%k:%v\\n' < orders.txt\n" +
      '  weir topic produce orders -f csv < orders.csv',
  ]);
}

/** `weir help offsets`. */
export function offsetsHelp(columns?: number): string {
  return blocks([
    titled(
      'Values of -o, --offset',
      offsetForms.map(([form, , meaning]) => [form, meaning]),
      columns,
    ),
    titled('TIME', timeForms, columns),
  ]);
}
