import type { Client } from '../../protocol/client/client.ts';
import { consumeFrom } from './consume.ts';
import { openGroupSource } from './group-source.ts';
import type { ConsumeRequest, Consumption } from './request.ts';
import { openTopicSource } from './topic-source.ts';

/** Checks topics and resolves offsets; reads no records before `pump`. */
export async function consume(client: Client, request: ConsumeRequest): Promise<Consumption> {
  if (request.tail !== undefined) return (await import('./tail.ts')).consumeTail(client, request, request.tail);
  return await consumeFrom(client, request, (wake) =>
    request.group === undefined
      ? openTopicSource(client, request, wake)
      : openGroupSource(client, request, request.group, wake),
  );
}
