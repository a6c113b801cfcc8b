import { Writable } from 'node:stream'

/** A stream that keeps what was written to it. */
export class MemoryStream extends Writable {
  text = ''
  /** Called with each text that is written. */
  onText: (text: string) => void = () => {}

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    this.onText(chunk.toString())
    done()
  }
}
