"""HTTP clients for Python: `python3 clients.py SET-UP METHOD=URL …` sends the requests one after another and prints the
status and the length of each answer, or `error`. `:fixed` at the end of a name is the client without its repeats."""

import asyncio
import sys


def with_requests(retry=None):
    import requests

    session = requests.Session()
    if retry is not None:
        session.mount("http://", requests.adapters.HTTPAdapter(max_retries=retry))

    def send(method, url):
        answer = session.request(method, url)
        return answer.status_code, len(answer.content)

    return send


def with_urllib3(**options):
    import urllib3

    pool = urllib3.PoolManager(**options)

    def send(method, url):
        answer = pool.request(method, url)
        return answer.status, len(answer.data)

    return send


def retry(**options):
    from urllib3.util.retry import Retry

    return Retry(total=3, backoff_factor=0.1, status_forcelist=[429, 503], **options)


def with_httpx():
    import httpx

    client = httpx.Client()

    def send(method, url):
        answer = client.request(method, url)
        return answer.status_code, len(answer.content)

    return send


def with_aiohttp():
    import aiohttp

    loop = asyncio.new_event_loop()

    async def session():
        return aiohttp.ClientSession()

    client = loop.run_until_complete(session())

    async def exchange(method, url):
        async with client.request(method, url) as answer:
            return answer.status, len(await answer.read())

    return lambda method, url: loop.run_until_complete(exchange(method, url))


def with_tornado(implementation, prepare=None):
    from tornado.httpclient import AsyncHTTPClient

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    AsyncHTTPClient.configure(implementation)

    async def exchange(method, url):
        body = "" if method == "POST" else None
        answer = await AsyncHTTPClient().fetch(url, method=method, body=body, prepare_curl_callback=prepare)
        return answer.code, len(answer.body)

    return lambda method, url: loop.run_until_complete(exchange(method, url))


def fresh_connect(curl):
    import pycurl

    curl.setopt(pycurl.FRESH_CONNECT, True)


def with_pycurl(fresh=False):
    import io

    import pycurl

    curl = pycurl.Curl()

    def send(method, url):
        body = io.BytesIO()
        curl.setopt(pycurl.URL, url)
        curl.setopt(pycurl.WRITEDATA, body)
        curl.setopt(pycurl.POST, method == "POST")
        if method == "POST":
            curl.setopt(pycurl.POSTFIELDS, "")
            curl.setopt(pycurl.FRESH_CONNECT, fresh)
        else:
            curl.setopt(pycurl.HTTPGET, True)
        curl.perform()
        return curl.getinfo(pycurl.RESPONSE_CODE), len(body.getvalue())

    return send


def with_urllib():
    import urllib.request

    def send(method, url):
        request = urllib.request.Request(url, method=method, data=b"" if method == "POST" else None)
        with urllib.request.urlopen(request) as answer:
            return answer.status, len(answer.read())

    return send


def with_http_client():
    import http.client
    from urllib.parse import urlsplit

    kept = {}

    def send(method, url):
        parts = urlsplit(url)
        connection = kept.setdefault(parts.netloc, http.client.HTTPConnection(parts.netloc))
        try:
            connection.request(method, parts.path)
            answer = connection.getresponse()
            return answer.status, len(answer.read())
        except Exception:
            connection.close()
            raise

    return send


def with_httplib2():
    import httplib2

    client = httplib2.Http()

    def send(method, url):
        answer, body = client.request(url, method)
        return answer.status, len(body)

    return send


def with_botocore(attempts=None):
    import urllib.request

    import botocore.session
    from botocore.config import Config

    def send(method, url):
        if method == "GET":
            with urllib.request.urlopen(url) as answer:
                return answer.status, len(answer.read())
        client = botocore.session.get_session().create_client(
            "lambda",
            region_name="eu-central-1",
            endpoint_url=url,
            aws_access_key_id="none",
            aws_secret_access_key="none",
            config=Config(retries=None if attempts is None else {"max_attempts": attempts}),
        )
        answer = client.invoke(FunctionName="run")
        return answer["StatusCode"], len(answer["Payload"].read())

    return send


def with_soup(version):
    import gi

    gi.require_version("Soup", version)
    from gi.repository import GLib, Soup

    session = Soup.Session()

    def send(method, url):
        message = Soup.Message.new(method, url)
        if version == "2.4":
            status = session.send_message(message)
            if status < 100:
                raise RuntimeError(message.props.reason_phrase)
            return status, len(message.props.response_body_data.get_data())
        body = session.send_and_read(message, None)
        return int(message.get_status()), len(body.get_data())

    return send


def with_qt(body):
    from PyQt5.QtCore import QByteArray, QCoreApplication, QEventLoop, QUrl
    from PyQt5.QtNetwork import QNetworkAccessManager, QNetworkReply, QNetworkRequest

    application = QCoreApplication([])
    manager = QNetworkAccessManager()
    manager.application = application

    def send(method, url):
        request = QNetworkRequest(QUrl(url))
        request.setHeader(QNetworkRequest.ContentTypeHeader, "application/json")
        reply = manager.post(request, QByteArray(body)) if method == "POST" else manager.get(request)
        loop = QEventLoop()
        reply.finished.connect(loop.quit)
        if not reply.isFinished():
            loop.exec_()
        status = reply.attribute(QNetworkRequest.HttpStatusCodeAttribute)
        if reply.error() != QNetworkReply.NoError:
            raise RuntimeError(reply.errorString())
        return status, len(reply.readAll())

    return send


SET_UPS = {
    "requests": with_requests,
    "requests with Retry": lambda: with_requests(retry()),
    "requests with Retry for POST": lambda: with_requests(retry(allowed_methods=None)),
    "requests with Retry for POST:fixed": lambda: with_requests(retry(allowed_methods=None, read=False)),
    "urllib3": with_urllib3,
    "urllib3 with Retry for POST": lambda: with_urllib3(retries=retry(allowed_methods=None)),
    "urllib3 with Retry for POST:fixed": lambda: with_urllib3(retries=retry(allowed_methods=None, read=False)),
    "httpx": with_httpx,
    "aiohttp": with_aiohttp,
    "tornado": lambda: with_tornado(None),
    "tornado curl_httpclient": lambda: with_tornado("tornado.curl_httpclient.CurlAsyncHTTPClient"),
    "tornado curl_httpclient:fixed": lambda: with_tornado(
        "tornado.curl_httpclient.CurlAsyncHTTPClient", fresh_connect
    ),
    "pycurl": with_pycurl,
    "pycurl:fixed": lambda: with_pycurl(True),
    "urllib.request": with_urllib,
    "http.client": with_http_client,
    "httplib2": with_httplib2,
    "botocore": with_botocore,
    "botocore:fixed": lambda: with_botocore(0),
    "libsoup 2": lambda: with_soup("2.4"),
    "libsoup 3": lambda: with_soup("3.0"),
    "QNetworkAccessManager": lambda: with_qt(b""),
    "QNetworkAccessManager with a body": lambda: with_qt(b"{}"),
}

name, *requests_to_send = sys.argv[1:]
send = SET_UPS[name]()
for one in requests_to_send:
    method, url = one.split("=", 1)
    try:
        status, length = send(method, url)
        print(status, length, flush=True)
    except Exception as error:
        print("error", flush=True)
        print(repr(error), file=sys.stderr)
