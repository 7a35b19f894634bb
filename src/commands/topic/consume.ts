import { command } from '../../cli/command.ts';
import { exitCodes } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { recordEnvelope } from '../../kafka/records/language/record-rows.ts';
import { consumeArgs, consumeFlags } from './consume-flags.ts';

/** `topic consume` */
export const consume = command({
  summary: 'Print the records of topics',
  description: `Prints records as they arrive until interrupted, or until -n, --idle or --offset ends the read. Without -f, every
record is one JSON object: on one line, or indented on a terminal (--pretty-print=false turns that off).

-f takes a record format: %k key, %v value, %t topic, %p partition, %o offset, %h{%k=%v } headers, %d timestamp
(%d{strftime[%FT%TZ]}), %T %K %V %H sizes and counts, and the escapes \\n \\t \\r \\\\ \\xNN. No newline is added: end the
format with \\n. See weir help formats for all verbs.

--offset is start, end, N, +N (from the start), -N (from the end), @TIME, or a range such as N:M, :end, @-1h:end. The
last ten offsets of each partition are -10:end. See weir help offsets for all forms. --tail 10 counts records, over all
partitions: with transactions or compaction, some offsets have no record.

With --group, committed offsets take precedence, and exactly what was printed is committed, every 5 s and at the end. If
--offset has an end (-o :end), the member reads its partitions up to there and leaves the group.

With -r, a regular expression may match anywhere in the name of a topic: -r 'ord' reads orders and records. Use ^ and $
to match the whole name, as in topic list, describe and delete.

With --use-schema-registry, keys and values that start with a schema id (or have one in a header) are printed as JSON,
whether they are Avro, Protobuf or JSON. In the JSON output they are JSON values instead of strings, and
value_schema_id names the schema. Nothing changes for null. --parse-json does the same for values that are JSON without a
schema (objects and arrays).

--where, --key, --header and --contains print only records that match; all conditions must hold. -n counts matches, and a
group commits what it has looked at. weir help where describes the conditions. To search what is in a topic now, use
topic search.`,
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
