import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process'; // a separate program, started by the sandbox
import { startModelServer } from '../broker/server.ts';
import { readSimulatedOptions, type SimulatedBroker, simulatedSettings } from './options.ts';

/** The interval at which internal errors of the simulation are logged, in milliseconds. */
const defectsEveryMs = 1_000;

// Started as `node entry OPTIONS.json`. Runs until it is stopped; all data is lost then.
const { brokers, flavour, listening } = readSimulatedOptions(readFileSync(argv[2] ?? '', 'utf8'));
const say = ({ id, log }: SimulatedBroker, line: string): void => {
  appendFileSync(log, `${new Date().toISOString()} broker ${id} ${line}\n`);
};
void startModelServer({ brokers, settings: { ...simulatedSettings(brokers.length), flavour } }).then(({ cluster }) => {
  for (const one of brokers) say(one, `is listening at ${one.host}:${one.port} and keeps its data in memory only`);
  writeFileSync(listening, '');
  setInterval(() => reportDefects(cluster.inside.knobs.defects), defectsEveryMs).unref();
});

let reported = 0;
function reportDefects(defects: readonly unknown[]): void {
  for (const defect of defects.slice(reported)) {
    const text = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect);
    for (const one of brokers) say(one, `has an internal error: ${text.replaceAll('\n', ' | ')}`);
  }
  reported = defects.length;
}
