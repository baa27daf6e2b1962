// Package golden embeds the golden vectors of harbor-parity by operation. README.md explains the files, and has a test
// that uses them.
package golden

import "embed"

// Files are the files of the operations, and the manifest. They are named one by one, because *.json is package.json,
// too.
//
//go:embed aggregate.json
//go:embed harbor_env.json
//go:embed job_stats.json
//go:embed manifest.json
//go:embed outcome.json
//go:embed pass_at_k.json
//go:embed read_reward.json
//go:embed reason_code.json
//go:embed run_job.json
//go:embed run_trial.json
//go:embed trial_reward.json
//go:embed trial_score.json
var Files embed.FS

// Raw returns the JSON of an operation's file, such as that of "read_reward", or an error for an unknown operation.
func Raw(operation string) ([]byte, error) {
	return Files.ReadFile(operation + ".json")
}
