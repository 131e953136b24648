//! Pages that a real browser prints, and what it cannot reach meanwhile.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pavise_pdf::{AllowedHosts, PdfFault, PdfPrinter, Url};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

fn printer() -> PdfPrinter {
    PdfPrinter::new("chromium".into())
}

/// A server that answers everything with a page, and counts. Answers its address.
async fn serve(page: impl Fn(&str) -> String + Send + Sync + 'static) -> (String, Arc<AtomicUsize>) {
    let (listener, count) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), Arc::new(AtomicUsize::new(0)));
    let address = listener.local_addr().unwrap().to_string();
    let (counted, page) = (Arc::clone(&count), Arc::new(page));
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            counted.fetch_add(1, Ordering::Relaxed);
            let page = Arc::clone(&page);
            tokio::spawn(async move {
                let mut request = vec![0; 4096];
                let size = stream.read(&mut request).await.unwrap_or_default();
                let request = String::from_utf8_lossy(&request[..size]).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let body = page(&path);
                let head =
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\nconnection: close\r\ncontent-length:";
                let _ = stream.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).await;
            });
        }
    });
    (address, count)
}

fn text_of(pdf: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdf");
    std::fs::write(&path, pdf).unwrap();
    let read = std::process::Command::new("pdftotext").arg(&path).arg("-").output().unwrap();
    String::from_utf8(read.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_page_in_memory_is_printed_and_runs_nothing() {
    let (address, count) = serve(|_| "x".to_owned()).await;
    let page = format!(
        "<!DOCTYPE html><meta charset=utf-8><p id=a>Año &amp; œuvre</p><script>a.textContent='script'</script>\
         <img src=http://{address}/a><link rel=stylesheet href=http://{address}/b><iframe src=http://{address}/c></iframe>\
         <iframe src=file:///etc/passwd></iframe><object data=file:///etc/hostname></object>"
    );
    let pdf = printer().print_html(page).await.unwrap();
    assert_eq!(text_of(&pdf), "Año & œuvre");
    assert_eq!(count.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_page_of_the_platform_reaches_the_platform_and_nothing_else() {
    let (foreign, asked) = serve(|_| "<p>secret".to_owned()).await;
    let (own, served) = serve(move |path| match path {
        "/frame" => "<p>own frame".to_owned(),
        _ => format!(
            "<!DOCTYPE html><p>Page</p><iframe src=/frame></iframe><iframe src=http://{foreign}/></iframe>\
             <script>fetch('http://{foreign}/f',{{mode:'no-cors'}}).catch(()=>0);new WebSocket('ws://{foreign}/')</script>"
        ),
    })
    .await;
    let hosts = AllowedHosts::default().with_site(&format!("http://{own}/"));
    let url = Url::parse(&format!("http://{own}/page")).unwrap();
    let pdf = printer().print_page(&url, hosts.clone()).await.unwrap();
    let text = text_of(&pdf);
    assert!(text.contains("Page") && text.contains("own frame") && !text.contains("secret"), "{text}");
    assert_eq!(asked.load(Ordering::Relaxed), 0, "the other server on this machine was not reached");
    assert!(served.load(Ordering::Relaxed) >= 2);
    let other = Url::parse("http://127.0.0.1:1/").unwrap();
    assert!(matches!(printer().print_page(&other, hosts).await, Err(PdfFault::Failed(_))));
}

/// A name that leads to this machine is refused, although the list has the name.
#[tokio::test]
async fn an_admitted_name_with_a_private_address_is_not_reached() {
    let hosts = AllowedHosts::default().with_host("localhost");
    let url = Url::parse("https://localhost/").unwrap();
    assert!(hosts.admits(&url));
    assert_eq!(
        printer().print_page(&url, hosts).await,
        Err(PdfFault::Failed("the page could not be reached".to_owned()))
    );
}
