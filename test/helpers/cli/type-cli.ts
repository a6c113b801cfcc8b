import { PassThrough } from 'node:stream'
import { runCommandLine } from '../../../src/cli/program/program.ts'
import { runCommand } from '../../../src/cli/run-command.ts'
import { MemoryStream } from '../memory-stream.ts'
import { type CliEnvironment, type CliRun, environmentOf } from './cli-environment.ts'

/** Keys of a terminal. */
export const keys = { enter: '\r', down: '\u001b[B', ctrlC: '\u0003', ctrlD: '\u0004' } as const

/** What a person waits to see, and what they type then. */
export type Typing = readonly (readonly [sees: RegExp, types: string])[]

/**
 * Runs the command line with a person at the terminal, in this process. Each thing to type waits for what was written
 * since the last one; at the end all of it must have been typed.
 */
export const typeCli = async (
  args: readonly string[],
  location: CliEnvironment,
  typing: Typing,
): Promise<CliRun & { readonly shown: string }> => {
  const input = new PassThrough()
  const left = [...typing]
  let shown = ''
  let seen = 0
  class Screen extends MemoryStream {
    override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
      shown += plain(chunk.toString())
      super._write(chunk, encoding, done)
      // After the prompt has begun to listen.
      setImmediate(look)
    }
    /** A pipe into a terminal ends, and the terminal stays. */
    override end(): this {
      return this
    }
  }
  const look = (): void => {
    const next = left[0]
    if (!next?.[0].test(shown.slice(seen))) return
    left.shift()
    seen = shown.length
    input.write(next[1])
  }
  const [out, err] = [new Screen(), new Screen()]
  const signal = location.signal ?? new AbortController().signal
  const status = await runCommandLine(args, { out, err }, (name, options) =>
    runCommand(name, options, {
      terminal: { out, err, input, interactive: true },
      source: { env: environmentOf(location), cwd: location.folder },
      logTo: err,
      signal,
    }),
  )
  input.destroy()
  if (left.length > 0) throw new Error(`never seen: ${left[0]?.[0]}; on the screen:\n${shown}`)
  return { status, out: out.text, err: err.text, shown }
}

/** Without colours and without what moves the cursor. */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
