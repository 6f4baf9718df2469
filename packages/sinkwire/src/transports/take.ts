import type { Consumer, Delivery } from "@sinkwire/delivery";
import type { Address } from "./address.js";
import { unreachable } from "./connecting.js";
import type { Tailed, TailOptions } from "./transport.js";

/**
 * Takes messages as a consumer, which is closed at the end.
 *
 * @param position - where they stand, for people
 * @throws `Unreachable` when the consumer ends with an error, as for a queue that is not there
 */
export async function* take(
  address: Address,
  consumer: Consumer,
  position: string,
  { signal, ready }: TailOptions,
): AsyncGenerator<Tailed> {
  const deliveries: AsyncIterator<Delivery> = consumer.deliveries({ signal })[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Delivery>> => {
    try {
      return await deliveries.next();
    } catch (error) {
      throw unreachable(address, error);
    }
  };
  try {
    ready();
    for (let result = await next(); result.done !== true; result = await next()) {
      yield { read: result.value, position, delivery: result.value };
    }
  } finally {
    await deliveries.return?.();
    await consumer.close();
  }
}
