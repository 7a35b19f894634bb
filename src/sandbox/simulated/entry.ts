import { appendFileSync, readFileSync } from 'node:fs';
import { argv } from 'node:process'; // a program of its own, started by the sandbox
import { startModelServer } from '../broker/listen/server.ts';
import { readSimulatedOptions, type SimulatedBroker } from './options.ts';
import { simulatedSettings } from './settings.ts';

/** How often errors of the simulation itself are looked for and logged, in milliseconds. */
const defectsEveryMs = 1_000;

// Started as `node entry OPTIONS.json`; runs until it is ended, and all that it holds goes with it.
const { brokers } = readSimulatedOptions(readFileSync(argv[2] ?? '', 'utf8'));
const say = ({ id, log }: SimulatedBroker, line: string): void => {
  appendFileSync(log, `${new Date().toISOString()} broker ${id} ${line}\n`);
};
const { cluster } = await startModelServer({ brokers, settings: simulatedSettings(brokers.length) });
for (const one of brokers) say(one, `is listening at ${one.host}:${one.port}; its data is in memory only`);

let told = 0;
const tellDefects = (): void => {
  const { defects } = cluster.control;
  for (const defect of defects.slice(told)) {
    const text = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect);
    for (const one of brokers) say(one, `has a defect: ${text.replaceAll('\n', ' | ')}`);
  }
  told = defects.length;
};
setInterval(tellDefects, defectsEveryMs).unref();
