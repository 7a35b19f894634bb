import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDirectory } from '../../../src/files/locations.ts';

/** The version of Apache Avro for Java. */
const version = '1.12.1';
const copyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** Returns the directory with the jars of Apache Avro; Maven fetches them once. */
function jars(): string {
  const { env, platform } = process;
  const cache = cacheDirectory({ env, platform, home: env.HOME });
  if (cache === undefined) throw new Error('the tests need a directory for what they download: HOME is not set');
  const directory = join(cache, 'avro-java', version);
  if (existsSync(directory)) return directory;
  mkdirSync(dirname(directory), { recursive: true });
  const scratch = mkdtempSync(join(dirname(directory), `.${version}-`));
  writeFileSync(join(scratch, 'pom.xml'), pom());
  const found = join(scratch, 'jars');
  const words = ['-q', '-B', '-f', join(scratch, 'pom.xml'), copyPlugin, `-DoutputDirectory=${found}`];
  const { status, stdout } = spawnSync('mvn', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the tests need Apache Avro, which Maven failed to fetch: ${stdout}`);
  // Another test run may have been faster.
  if (!existsSync(directory)) renameSync(found, directory);
  rmSync(scratch, { recursive: true, force: true });
  return directory;
}

function pom(): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>weir</groupId>
  <artifactId>avro-peer</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.avro</groupId><artifactId>avro</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.17</version></dependency>
  </dependencies>
</project>
`;
}

/** Apache Avro for Java in a process of its own (AvroPeer.java). */
export interface JavaAvro {
  /** Sends commands and returns as many lines of answer as `count` says. */
  ask(commands: readonly string[], count?: number): Promise<readonly string[]>;
  close(): void;
}

/** Starts Apache Avro for Java. */
export function openJavaAvro(): JavaAvro {
  const flags = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData', '-Dfile.encoding=UTF-8', '-Xss8m'];
  const child = spawn('java', [...flags, '-cp', `${jars()}/*`, join(import.meta.dirname, 'AvroPeer.java')]);
  const lines = linesOf(child.stdout);
  let trouble = '';
  child.stderr.on('data', (data) => {
    trouble += data;
  });
  return {
    async ask(commands, count = commands.length) {
      send(child, [...commands, 'flush']);
      const answers: string[] = [];
      while (answers.length < count) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`Java ended: ${trouble}`);
        answers.push(value);
      }
      return answers;
    },
    close: () => void child.kill('SIGKILL'),
  };
}

function send(child: ChildProcessWithoutNullStreams, commands: readonly string[]): void {
  child.stdin.write(commands.map((command) => `${command}\n`).join(''));
}

/** Lines end with a newline only; `node:readline` also ends them at U+2028. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let pieces: Buffer[] = [];
  for await (const piece of stream) {
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      pieces.push(piece.subarray(start, end));
      yield Buffer.concat(pieces).toString();
      pieces = [];
      start = end + 1;
    }
    pieces.push(piece.subarray(start));
  }
}
