// Compaction by condense, without a model. pi asks for a summary of the entries before the
// first one that it keeps; condense writes it: each request, word for word, then its outcome.
// On any failure pi asks its model, as it does without this extension.
import { spawn } from 'node:child_process'

const TIME_LIMIT = 30_000 // milliseconds

// condensed runs condense and returns its standard output. Variables such as CONDENSE_TARGET
// set flags that are not given here.
function condensed(args, input, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn('condense', args, { signal, timeout: TIME_LIMIT })
    let out = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', text => (out += text))
    child.stderr.setEncoding('utf8').on('data', text => (errors += text))
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve(out) : reject(new Error(`condense ended with ${code}: ${errors.split('\n')[0]}`))))
    child.stdin.on('error', () => {}) // a child that ended early has an exit code
    child.stdin.end(input)
  })
}

// protectedNames returns flags that keep what has the names in backquotes.
function protectedNames(instructions = '') {
  const names = Array.from(instructions.matchAll(/`([^`\n]+)`/g), m => m[1])
  return names.flatMap(name => ['--protect', name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')])
}

const textOf = content => (typeof content === 'string' ? content : content.map(block => block.text ?? '').join('\n'))

// summaryOf returns the texts of the entries that condense left, of which at least one has to
// be new.
function summaryOf(output, known) {
  const entries = output.split('\n').filter(line => line !== '').map(line => JSON.parse(line))
  const left = entries.filter(entry => entry.type === 'message' || entry.type === 'compaction')
  if (left.every(entry => known.has(entry.id))) throw new Error('nothing to remove')
  return left.map(entry => entry.summary ?? textOf(entry.message.content)).filter(text => text !== '').join('\n\n')
}

export async function compact({ preparation, branchEntries, customInstructions, signal }, cwd) {
  const { firstKeptEntryId, tokensBefore } = preparation
  const kept = branchEntries.findIndex(entry => entry.id === firstKeptEntryId)
  if (kept < 0) throw new Error('the first entry to keep is not on this branch')
  const old = branchEntries.slice(0, kept)
  const header = { type: 'session', version: 3, id: 'condense', timestamp: new Date().toISOString(), cwd }
  const input = [header, ...old].map(entry => JSON.stringify(entry) + '\n').join('')
  const args = ['run', '-q', '--config', 'none', '--format', 'pi', '--strategy', 'summarize', '--layout', 'fresh', '--drop-hidden']
  if (!process.env.CONDENSE_TARGET) args.push('--target', '25%')
  const output = await condensed([...args, ...protectedNames(customInstructions), '-'], input, signal)
  return { summary: summaryOf(output, new Set(old.map(entry => entry.id))), firstKeptEntryId, tokensBefore }
}

export default function (pi) {
  pi.on('session_before_compact', async (event, ctx) => {
    try {
      return { compaction: await compact(event, ctx.cwd) }
    } catch (err) {
      if (!event.signal?.aborted) ctx.ui.notify(`condense left the compaction to pi: ${err.message}`, 'warning')
    }
  })
}
