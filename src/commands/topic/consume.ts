import { command } from '../../cli/command.ts';
import { exitCodes } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { recordEnvelope } from '../../kafka/records/language/record-rows.ts';
import { consumeArgs, consumeFlags } from './consume-flags.ts';

/** `topic consume` */
export const consume = command({
  summary: 'Print the records of topics',
  description: `Prints records as they arrive until interrupted, or until -n, --idle or --offset ends the read.
Without -f, each record is a JSON object: on one line, or indented on a terminal.

-f takes a record format: %k key, %v value, %t topic, %p partition, %o offset, %h{%k=%v } headers, %d timestamp, and
escapes such as \\n. No newline is added: end the format with \\n. See weir help formats.

--offset is start, end, N, +N (from the start), -N (from the end), @TIME, or a range such as N:M, :end, @-1h:end. See
weir help offsets. --tail 10 prints the last ten records over all partitions.

With --group, committed offsets take precedence, and what was printed is committed. With -r, a regular expression may
match anywhere in the name of a topic.

With --use-schema-registry, keys and values that have a schema id are printed as JSON. --parse-json does the same for
JSON values without a schema.

--where, --key, --header and --contains print only records that match (see weir help where). To search what is in a
topic now, use topic search.`,
  examples: [
    ['All records as JSON, then new ones', 'topic consume orders'],
    ['The last ten keys and values', "topic consume orders --tail 10 -f '%k %v\\n'"],
    ['All records that are in the topic now', "topic consume orders -o :end -f '%p:%o %v\\n'"],
    ['Values that are JSON as JSON, for jq .value.id', 'topic consume orders -o :end --parse-json'],
    ['Values decoded by their schemas', 'topic consume orders --use-schema-registry=value'],
    [
      'Failed payments over 100, as they come',
      `topic consume payments -o end --where 'value.status == "FAILED" && value.amount > 100'`,
    ],
    ['Share the work with the other members of a group', 'topic consume orders -g billing'],
    ['What a group has not read yet, until nothing has come for 2 s', 'topic consume orders -g billing --idle 2s'],
  ],
  apis: ['kafka', 'registry'],
  args: consumeArgs,
  flags: consumeFlags,
  changes: 'reads',
  result: recordEnvelope,
  async run(context, values) {
    const { consumeRequest } = await import('./consume-request.ts');
    const { printRecords } = await import('./records/print-records.ts');
    const request = await consumeRequest(context, values, 'consume');
    return printRecords(context, request, {
      async ending({ printed, hasTopics, isStopped, notice, emptiness }) {
        const isEmpty = printed === 0 && request.range.end !== undefined && hasTopics && !isStopped;
        if (!isEmpty) return exitCodes.ok;
        const scanned = request.filter?.scanned() ?? 0;
        notice(
          scanned === 0
            ? await emptiness(values.tail === undefined ? values.offset : ':end')
            : `none of the ${grouped(scanned, 'record')} in the range ${values.offset} matches`,
        );
        return exitCodes.ok;
      },
    });
  },
  show: { text: () => '' },
});
