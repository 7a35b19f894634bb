/** Ten fields of the usual kinds. */
export const orderSchema = {
  type: 'record',
  name: 'Order',
  namespace: 'shop',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'customer', type: 'string' },
    { name: 'email', type: ['null', 'string'], default: null },
    { name: 'amount', type: 'double' },
    { name: 'items', type: 'int' },
    { name: 'paid', type: 'boolean' },
    { name: 'state', type: { type: 'enum', name: 'State', symbols: ['NEW', 'SHIPPED', 'DONE'] } },
    { name: 'created', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'note', type: 'string' },
    { name: 'tags', type: { type: 'array', items: 'string' } },
  ],
};

/** The same orders on every machine, as Avro's JSON. */
export function orderOf(at: number): unknown {
  return {
    id: 4_000_000_000 + at * 7919,
    customer: `customer ${at % 9973}`,
    email: at % 3 === 0 ? null : { string: `person${at % 9973}@example.com` },
    amount: (at % 100_000) / 100,
    items: at % 40,
    paid: at % 2 === 0,
    state: ['NEW', 'SHIPPED', 'DONE'][at % 3],
    created: 1_700_000_000_000 + at * 1000,
    note: at % 10 === 0 ? 'leave it at the "back" door\nplease' : 'none',
    tags: Array.from({ length: at % 4 }, (_, tag) => `tag${tag}`),
  };
}
