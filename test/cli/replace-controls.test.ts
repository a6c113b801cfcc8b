import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { printableStream, replaceControls } from '../../src/cli/terminal.ts'

describe('text for a terminal', () => {
  it.each([
    ['name\tport\nAnna\tKiel\r\n', 'name\tport\nAnna\tKiel\r\n'],
    ['Zoë – 船 🚲', 'Zoë – 船 🚲'],
    ['\u001b]52;c;ZXZpbA==\u0007Kiel', '�]52;c;ZXZpbA==�Kiel'],
    [
      '\u001b[1mboats\u001b[22m \u001b[32mpass\u001b[39m',
      '\u001b[1mboats\u001b[22m \u001b[32mpass\u001b[39m',
    ],
    ['\u001b[8mhidden\u001b[2J\u001b[1A', '�[8mhidden�[2J�[1A'],
    ['\u202egnp.exe\u2066\u061c', '�gnp.exe��'],
    ['Kiel\rOslo', 'Kiel�Oslo'],
    ['\u009b2J\u0000\u007f', '�2J��'],
  ])('%j is written as %j', (text, shown) => {
    expect(replaceControls(text)).toBe(shown)
  })

  it('is as wide as the terminal, whole and in order', async () => {
    const terminal = Object.assign(new PassThrough(), { columns: 100 })
    const out = printableStream(terminal)
    out.write('one \u001b[2K')
    out.write(Buffer.from('größer'))
    await new Promise<void>(resolve => out.end(resolve))
    expect(terminal.read().toString()).toBe('one �[2Kgrößer')
    terminal.columns = 80
    expect(out.columns).toBe(80)
  })
})
