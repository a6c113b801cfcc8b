import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'

it('serve says which token is missing, and ends', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  try {
    const run = await runCli(['serve'], { folder, home: join(folder, 'home') })
    expect(run).toMatchObject({ status: 2, err: expect.stringContaining('set SLACK_BOT_TOKEN') })
    expect(run.err).toContain('querent -- init')
    // Something here keeps the process: then it is ended.
    await expect.poll(() => exit.mock.calls.length).toBe(1)
  } finally {
    exit.mockRestore()
    rmSync(folder, { recursive: true })
  }
})
