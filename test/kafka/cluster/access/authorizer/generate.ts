import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { defaultKafkaVersion } from '../../../../../src/sandbox/kafka/libraries.ts';
import { scenes } from './scenes.ts';

// Records what Kafka's own authorizer decides: `node test/kafka/cluster/access/authorizer/generate.ts`.
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
const libraries = join(cache, 'weir/kafka', defaultKafkaVersion, '*');
const input = scenes().map(({ allowsUnlisted, superUser, acls, questions }) => {
  return [String(allowsUnlisted), superUser, acls, questions];
});
const flags = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-cp', libraries];
const { stdout } = await execa('java', [...flags, join(import.meta.dirname, 'Decisions.java')], {
  input: JSON.stringify(input),
});
const lines = stdout.trim().split('\n');
writeFileSync(join(import.meta.dirname, 'decisions.json'), `${JSON.stringify(lines, null, 2)}\n`);
