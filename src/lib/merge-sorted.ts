/** Merges two sorted sequences; equal items of the first come first. */
export async function* mergeSorted<Item>(
  first: AsyncIterable<Item>,
  second: AsyncIterable<Item>,
  compare: (a: Item, b: Item) => number,
): AsyncGenerator<Item> {
  const [left, right] = [first[Symbol.asyncIterator](), second[Symbol.asyncIterator]()]
  try {
    let [a, b] = [await left.next(), await right.next()]
    while (!a.done && !b.done) {
      if (compare(a.value, b.value) <= 0) {
        yield a.value
        a = await left.next()
      } else {
        yield b.value
        b = await right.next()
      }
    }
    for (; !a.done; a = await left.next()) yield a.value
    for (; !b.done; b = await right.next()) yield b.value
  } finally {
    await left.return?.()
    await right.return?.()
  }
}
