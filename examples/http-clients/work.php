<?php
// The work with the curl extension of PHP: creates a task, runs it and polls it to its end. A run that is answered 409 may
// go on already, which the task shows. `fixed` as the first argument: each POST has a connection of its own.

$fixed = ($argv[1] ?? '') === 'fixed';
$curl = curl_init();

/** An answer, or null if none came. */
function send(string $method, string $path, ?array $body): ?array
{
    global $curl, $fixed;
    $wait = '1';
    curl_reset($curl);
    curl_setopt_array($curl, [
        CURLOPT_URL => getenv('WORK_AGENT_BASE_URL') . '/api/cli/' . $path,
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 20,
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer ' . getenv('WORK_AGENT_API_KEY'),
            'Content-Type: application/json',
        ],
        CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$wait): int {
            if (preg_match('/^retry-after: *(.*?)\s*$/i', $line, $found)) {
                $wait = $found[1];
            }
            return strlen($line);
        },
    ]);
    if ($method === 'POST') {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $body === null ? '' : json_encode($body));
        curl_setopt($curl, CURLOPT_FRESH_CONNECT, $fixed);
    }
    $text = curl_exec($curl);
    $json = $text === false ? null : json_decode($text, true);
    if ($json === null) {
        return null;
    }
    $seconds = is_numeric($wait) ? (int) $wait : max(0, strtotime($wait) - time()) + 1;
    return ['status' => curl_getinfo($curl, CURLINFO_RESPONSE_CODE), 'body' => $json, 'wait' => $seconds];
}

function fail(string $why): never
{
    fwrite(STDERR, "$why\n");
    exit(1);
}

/** The answer to a request, which is sent again after a 429 or 503, and a GET also after a lost answer; null: lost. */
function answerTo(string $method, string $path, ?array $body = null): ?array
{
    for ($attempt = 0; $attempt < 6; $attempt++) {
        $answer = send($method, $path, $body);
        if ($answer === null && $method === 'POST') {
            return null;
        }
        if ($answer !== null && $answer['status'] !== 429 && $answer['status'] !== 503) {
            return $answer;
        }
        sleep($answer['wait'] ?? 0);
    }
    fail('the service is away for too long');
}

function success(?array $answer): array
{
    if ($answer === null || $answer['status'] >= 300) {
        fail($answer === null ? 'no answer' : $answer['body']['error'] . ': ' . $answer['body']['message']);
    }
    return $answer['body'];
}

/** Whether a task has a run that it did not have before. */
function hasBegun(string $path, string $before): bool
{
    $now = success(answerTo('GET', $path));
    return $now['finished'] || $now['task']['status'] !== $before;
}

/** Requests the run; after a lost answer it looks first whether there is one. */
function start(string $path, string $before): void
{
    $answer = answerTo('POST', "$path/run");
    if ($answer !== null) {
        $isBusy = ($answer['body']['error'] ?? '') === 'busy';
        if (!$isBusy && !($answer['status'] === 409 && hasBegun($path, $before))) {
            success($answer);
        }
        return;
    }
    if (!hasBegun($path, $before)) {
        start($path, $before);
    }
}

$task = success(answerTo('POST', 'tasks', ['text' => 'Say hello']))['task'];
$path = 'tasks/' . rawurlencode($task['id']);
start($path, $task['status']);
for ($looks = 0; $looks < 120; $looks++) {
    $now = success(answerTo('GET', $path));
    if ($now['finished']) {
        echo $now['task']['status'], "\n";
        exit(0);
    }
    sleep(1);
}
fail('the run takes too long');
