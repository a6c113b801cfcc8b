import type { ValueIndexData } from './value-index-data.ts'

/** Texts as UTF-8, one behind the other, and where each ends. */
export const packTexts = (texts: readonly string[]): Pick<ValueIndexData, 'textBytes' | 'textEnds'> => {
  // A view of its own memory: a small Buffer is a part of a pool, which must not be handed to another thread.
  const textBytes = new TextEncoder().encode(texts.join(''))
  const textEnds = new Uint32Array(texts.length)
  let end = 0
  for (let text = 0; text < texts.length; text++) {
    end += Buffer.byteLength(texts[text]!)
    textEnds[text] = end
  }
  return { textBytes, textEnds }
}

/** Reads packed texts by their number. */
export const makeReadText = ({
  textBytes,
  textEnds,
}: Pick<ValueIndexData, 'textBytes' | 'textEnds'>): ((text: number) => string) => {
  const bytes = Buffer.from(textBytes.buffer, textBytes.byteOffset, textBytes.byteLength)
  return text => bytes.toString('utf8', text === 0 ? 0 : textEnds[text - 1]!, textEnds[text]!)
}
