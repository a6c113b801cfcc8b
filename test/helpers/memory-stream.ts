import { Writable } from 'node:stream'

/** A stream that keeps what was written to it. */
export class MemoryStream extends Writable {
  text = ''

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
