/**
 * Loaded into a server under test before its own code: tells its parent what the process has used since its
 * start, and ends with it. `cpu_us`: user and system time of all threads, µs; `rss`: resident memory, bytes.
 */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu_us: user + system, rss: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
process.channel?.unref()
