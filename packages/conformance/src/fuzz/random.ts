/** Choices that follow from a seed and an index alone, so that every input of a run can be made again by itself. */
export class Random {
  #state: number;

  constructor(seed: number, index: number) {
    this.#state = mix(mix(seed >>> 0) ^ mix(index + 0x9e3779b9));
  }

  /** An integer from 0 to `count` - 1. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return Math.floor((mix(this.#state) / 0x1_0000_0000) * count);
  }

  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  /** True once in `count` times. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Mostly small, sometimes up to `max`. */
  length(max: number): number {
    return this.oneIn(8) ? this.between(0, max) : this.between(0, Math.min(max, 6));
  }

  /** A list of the given length. */
  list<T>(length: number, make: () => T): T[] {
    return Array.from({ length }, make);
  }

  /** Bytes of the given length. */
  bytes(length: number): Buffer {
    return Buffer.from(this.list(length, () => this.below(256)));
  }
}

/** The finalizer of murmur3: 32 bits in, 32 well-spread bits out. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
