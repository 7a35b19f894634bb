import { blocks, prose, titled } from '../../../cli/help/help.ts';
import { functionForms, recordNames } from '../../../kafka/records/filter/record-names.ts';

/** `weir help where`. */
export function whereHelp(columns?: number): string {
  return blocks([
    prose(
      'A condition is an expression of the Common Expression Language (CEL), with the names that Kafka UI uses. It ' +
        'contains no code: it cannot read files, and the time that it takes for a record is bounded.',
      columns,
    ),
    titled(
      'Names',
      Object.entries(recordNames).map(([name, { meaning }]) => [name, meaning]),
      columns,
    ),
    prose('Before each name, record. is allowed: record.value.status.', columns),
    titled(
      'Operators',
      [
        ['== != < <= > >=', 'comparisons of numbers, texts, true and false'],
        ['&& || !', 'and, or, not'],
        ['+ - * / %', 'arithmetic; + also joins texts and lists'],
        ['x ? y : z', 'y if x is true, otherwise z'],
        ['.name ["name"] [0]', 'a field, a field with other letters in its name, an element of a list'],
      ],
      columns,
    ),
    titled('Functions', functionForms, columns),
    prose(
      'A missing field makes a comparison unknown, and its negation, too; so does comparing a text with a number. Such a ' +
        'record does not match and is counted at the end. Use has(value.x) to ask whether a field exists. null is not ' +
        'equal to any text and contains none.',
      columns,
    ),
    'Examples:\n' +
      `  weir topic search orders --where 'value.status == "FAILED" && value.amount > 100'\n` +
      `  weir topic search orders --where 'value.items.exists(i, i.sku == "A-1")'\n` +
      `  weir topic search orders --where 'key.startsWith("eu-") || headers.region == "eu"'`,
  ]);
}
