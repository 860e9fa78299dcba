<?php
// HTTP clients for PHP: `php clients.php SET-UP METHOD=URL …` sends the requests one after another and prints the status
// and the length of each answer, or `error`. `:fixed` at the end of a name is the client without its repeats.

use GuzzleHttp\Client;
use Symfony\Component\HttpClient\CurlHttpClient;
use Symfony\Component\HttpClient\NativeHttpClient;
use Symfony\Component\HttpClient\Retry\GenericRetryStrategy;
use Symfony\Component\HttpClient\RetryableHttpClient;

function withCurl(bool $fresh): callable
{
    $curl = curl_init();
    return function (string $method, string $url) use ($curl, $fresh): array {
        curl_reset($curl);
        curl_setopt_array($curl, [CURLOPT_URL => $url, CURLOPT_RETURNTRANSFER => true]);
        if ($method === 'POST') {
            curl_setopt_array($curl, [CURLOPT_POST => true, CURLOPT_POSTFIELDS => '', CURLOPT_FRESH_CONNECT => $fresh]);
        }
        $body = curl_exec($curl);
        if ($body === false) {
            throw new RuntimeException(curl_error($curl));
        }
        return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), strlen($body)];
    };
}

function withStreams(): callable
{
    return function (string $method, string $url): array {
        $context = stream_context_create(['http' => ['method' => $method, 'ignore_errors' => true]]);
        $body = @file_get_contents($url, false, $context);
        if ($body === false) {
            throw new RuntimeException('no answer');
        }
        return [explode(' ', $http_response_header[0])[1], strlen($body)];
    };
}

function withGuzzle(array $options): callable
{
    require_once 'GuzzleHttp/autoload.php';
    $client = new Client($options);
    return function (string $method, string $url) use ($client): array {
        $answer = $client->request($method, $url);
        return [$answer->getStatusCode(), strlen((string) $answer->getBody())];
    };
}

function withSymfony(callable $make, array $options = []): callable
{
    require_once 'Symfony/Component/HttpClient/autoload.php';
    $client = $make();
    return function (string $method, string $url) use ($client, $options): array {
        $answer = $client->request($method, $url, $method === 'POST' ? $options : []);
        return [$answer->getStatusCode(), strlen($answer->getContent())];
    };
}

$freshCurl = [CURLOPT_FRESH_CONNECT => true];
$retryable = fn (array $codes) => fn () => new RetryableHttpClient(
    new CurlHttpClient(),
    new GenericRetryStrategy($codes),
);
$setUps = [
    'curl' => fn () => withCurl(false),
    'curl:fixed' => fn () => withCurl(true),
    'file_get_contents' => fn () => withStreams(),
    'guzzle' => fn () => withGuzzle([]),
    'guzzle:fixed' => fn () => withGuzzle(['curl' => $freshCurl]),
    'symfony CurlHttpClient' => fn () => withSymfony(fn () => new CurlHttpClient()),
    'symfony CurlHttpClient:fixed' => fn () => withSymfony(
        fn () => new CurlHttpClient(),
        ['extra' => ['curl' => $freshCurl]],
    ),
    'symfony RetryableHttpClient' => fn () => withSymfony(fn () => new RetryableHttpClient(new CurlHttpClient())),
    'symfony RetryableHttpClient:fixed' => fn () => withSymfony(
        fn () => new RetryableHttpClient(new CurlHttpClient()),
        ['extra' => ['curl' => $freshCurl]],
    ),
    'symfony NativeHttpClient' => fn () => withSymfony(fn () => new NativeHttpClient()),
];

[, $name] = $argv;
$send = $setUps[$name]();
foreach (array_slice($argv, 2) as $request) {
    [$method, $url] = explode('=', $request, 2);
    try {
        echo implode(' ', $send($method, $url)), "\n";
    } catch (Throwable $error) {
        echo "error\n";
        fwrite(STDERR, $error->getMessage() . "\n");
    }
}
