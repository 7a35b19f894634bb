import { command, flag, toggle } from '../../cli/command.ts';
import { outcomeFields, outcomeOf } from '../../cli/forms/outcome.ts';
import { integer, oneOf, text } from '../../kinds.ts';
import { flavourNames } from '../../sandbox/broker/settings.ts';
import { defaultKafkaVersion } from '../../sandbox/kafka/libraries.ts';
import { mechanisms } from '../../sandbox/kafka/properties.ts';
import { engineNames } from '../../sandbox/kafka/state.ts';
import { defaultName, planSandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { described, type RowOf, row, word } from '../../shape/shape.ts';
import { locationOf, nameFlag } from './location.ts';
import { checkProfile, makeProfile, noticeSelection } from './profile.ts';
import { hasAdmin, hasControlPlane, hasRegistry, SandboxRow, sandboxRow, whatAndWhere } from './sandbox-row.ts';

const StartedSandbox = row({
  ...SandboxRow.fields,
  before: described(word('new', 'stopped', 'running'), 'the state before the command ran'),
  ...outcomeFields,
});
type StartedSandbox = RowOf<typeof StartedSandbox>;

/** `sandbox start` */
export const start = command({
  summary: 'Start Kafka on this machine and select its profile',
  description: `Runs Kafka with Java 17 or newer and Maven, otherwise in containers of Docker or Podman. If none of
these is found, simulated brokers replace Kafka. --engine overrides the choice. Returns when every broker answers, and
selects a profile with the name of the sandbox. A sandbox that is started again has the same data.

Simulated brokers start at once, but lose their records when the sandbox stops, and support neither TLS nor SASL.
With --flavour redpanda, they answer as Redpanda 24.3 does.

--registry adds Apicurio Registry, over plain HTTP without a password. --admin adds a simulator of Redpanda's Admin
API, which shows this Kafka. Both keep their data in memory: it is lost when the sandbox stops.`,
  examples: [
    ['One broker', 'sandbox start'],
    ['Another sandbox, with three brokers', 'sandbox start --name three --brokers 3'],
    ['In memory, with nothing else installed', 'sandbox start --engine simulated'],
    ['Brokers that answer as Redpanda does', 'sandbox start --flavour redpanda'],
    ['With a schema registry', 'sandbox start --registry'],
    ['With a cloud control plane to try out', 'sandbox start --cloud'],
    ['With an Admin API to try out', 'sandbox start --admin --brokers 3'],
    ['With TLS and a password', 'sandbox start --name secure --tls --sasl SCRAM-SHA-256'],
  ],
  flags: {
    brokers: flag(oneOf('number of brokers', ['1', '3', '5']), { help: 'number of brokers (default 1)' }),
    engine: flag(oneOf('engine', engineNames), {
      help: 'engine that runs the brokers (default: the first one that is available)',
    }),
    flavour: flag(oneOf('flavour', flavourNames), {
      help: 'what simulated brokers imitate (default: kafka, or redpanda with --admin)',
    }),
    tls: toggle({ help: 'use TLS, with a certificate generated on this machine' }),
    mtls: toggle({ help: 'also require client certificates, generated on this machine' }),
    sasl: flag(oneOf('mechanism', mechanisms), { help: 'require a user and a password, with this mechanism' }),
    kafkaVersion: flag(text, { help: `version of Kafka (default ${defaultKafkaVersion})` }),
    port: flag(integer({ min: 1, max: 65_535 }), {
      help: 'port of the first broker (default 9092, or the next free port)',
    }),
    cloud: toggle({ help: 'also start a simulated cloud control plane, with a plugin for BYOC clusters' }),
    registry: toggle({ help: 'also start a schema registry, which keeps schemas in memory' }),
    admin: toggle({ help: 'also start a simulated Admin API, with one node per broker' }),
    name: nameFlag,
  },
  changes: 'creates',
  result: StartedSandbox,
  async run(context, { name, dryRun, brokers, ...request }): Promise<StartedSandbox> {
    const progress = context.progress(`starting the sandbox "${name}"`);
    try {
      const location = locationOf(context, name, progress);
      await checkProfile(context, location);
      const asked = { ...request, brokers: brokers && Number(brokers) };
      // What is refused is refused before anything is said of the profile.
      const planned = await planSandbox(location, asked);
      if (!dryRun) await noticeSelection(context, name);
      const { sandbox, before } = dryRun ? planned : await startSandbox(location, asked);
      const profile = dryRun ? sandbox.profile : await makeProfile(context, sandbox);
      const status = before === 'running' ? 'NOT_NEEDED' : undefined;
      return { ...(await sandboxRow({ ...sandbox, profile })), before, ...outcomeOf({ status }, dryRun) };
    } finally {
      progress.end();
    }
  },
  show: { text: (row) => (row.dry_run ? planned(row) : started(row)) },
});

const registryNote =
  'The schema registry keeps schemas in memory: they are lost when the sandbox stops. Its API is plain HTTP.\n';

const adminNote = 'The Admin API is simulated: its changes are lost when the sandbox stops.\n';

function planned(row: StartedSandbox): string {
  if (row.before !== 'running') return `Would start: ${whatAndWhere(row)}\n`;
  return `Already running: ${whatAndWhere(row)}\nThe profile "${row.name}" would be selected.\n`;
}

const registryLines = `\
  echo '"string"' | weir registry schema create hello-value --schema - --type avro
  echo '"world"' | weir topic produce hello --schema-id topic`;

function started(row: StartedSandbox): string {
  const flag = row.name === defaultName ? '' : ` --name ${row.name}`;
  return `${row.before === 'running' ? 'Already running' : 'Started'}: ${whatAndWhere(row)}
The profile "${row.name}" points to it and is selected.
${hasRegistry(row) ? registryNote : ''}${hasAdmin(row) ? adminNote : ''}
Try next:
  weir cluster info
  weir topic create hello
  echo world | weir topic produce hello
  weir topic consume hello -n 1
${hasRegistry(row) ? `${registryLines}\n` : ''}${hasControlPlane(row) ? '  weir cloud resource-group create dev\n' : ''}  weir sandbox stop${flag}
`;
}
