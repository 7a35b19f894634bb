import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { simulatedSettings } from '../../src/sandbox/simulated/options.ts';
import { type ModelServer, startModelServer } from '../sandbox/broker/control.ts';
import { services } from '../services/services.ts';
import { classicScripts, type Script } from './groups/classic-scripts.ts';
import { consumerScripts } from './groups/consumer-scripts.ts';
import { openSide } from './groups/side.ts';

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer({
    brokers: [{ id: 1, host: '127.0.0.1', port: 0 }],
    settings: simulatedSettings(1),
  });
});

afterAll(async () => {
  await model.close();
  expect(model.cluster.control.defects).toEqual([]);
});

async function answersOf(script: Script, address: string): Promise<readonly unknown[]> {
  const side = await openSide(address);
  try {
    return await script(side);
  } finally {
    side.close();
  }
}

async function expectAlike(script: Script): Promise<void> {
  const [broker] = model.brokers;
  const real = await answersOf(script, services().plaintext);
  expect(await answersOf(script, `${broker?.host}:${broker?.port}`)).toEqual(real);
}

describe('the model answers like Kafka: classic groups', () => {
  test.each(Object.entries(classicScripts))('%s', (_name, script) => expectAlike(script));
});

describe('the model answers like Kafka: consumer groups', () => {
  test.each(Object.entries(consumerScripts))('%s', (_name, script) => expectAlike(script));
});
