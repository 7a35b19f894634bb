import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orderSchema } from './order-schema.ts';

// `order-registry`: a registry with one schema; prints its address and runs until it is killed.
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/vnd.schemaregistry.v1+json');
  response.end(JSON.stringify({ schema: JSON.stringify(orderSchema) }));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
