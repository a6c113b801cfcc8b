import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { printable, toPrintable } from '../../src/cli/printable.ts'

describe('text for a terminal', () => {
  it.each([
    ['name\tport\nAnna\tKiel\r\n', 'name\tport\nAnna\tKiel\r\n'],
    ['Zoë – 船 🚲', 'Zoë – 船 🚲'],
    ['\u001b]52;c;ZXZpbA==\u0007Kiel', '�]52;c;ZXZpbA==�Kiel'],
    ['Kiel\rOslo', 'Kiel�Oslo'],
    ['\u009b2J\u0000\u007f', '�2J��'],
  ])('%j is written as %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  it('is as wide as the terminal, whole and in order', async () => {
    const terminal = Object.assign(new PassThrough(), { columns: 100 })
    const out = toPrintable(terminal)
    out.write('one \u001b[31m')
    out.write(Buffer.from('größer'))
    await new Promise<void>(resolve => out.end(resolve))
    expect(terminal.read().toString()).toBe('one �[31mgrößer')
    terminal.columns = 80
    expect(out.columns).toBe(80)
  })
})
